import { expect, test } from 'vitest'
import { sessionsFolder } from './sessions-folder.ts'

test('sessions lie below the home folder, or in the state folder of the XDG layout', () => {
  expect(sessionsFolder({}, '/home/me')).toBe('/home/me/.codelia/sessions')
  expect(sessionsFolder({ XDG_STATE_HOME: '/state' }, '/home/me')).toBe('/home/me/.codelia/sessions')
  expect(sessionsFolder({ CODELIA_LAYOUT: 'XDG' }, '/home/me')).toBe('/home/me/.local/state/codelia/sessions')
  expect(sessionsFolder({ CODELIA_LAYOUT: 'xdg', XDG_STATE_HOME: '/state' }, '/home/me')).toBe(
    '/state/codelia/sessions'
  )
})
