import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shells } from '#shared/contract/app.ts'
import { agentIds } from '#shared/model/agent.ts'
import { openArguments, openRequestOf, parseOpenRequest } from './open-request.ts'

const nothing = {
  path: null,
  entry: null,
  agent: null,
  index: null,
  shell: null,
  port: 0,
  window: true,
  json: false,
  why: ''
}

test('without arguments nothing is named and everything is left to the app', () => {
  expect(parseOpenRequest([], '/home/me')).toEqual(nothing)
})

test('paths begin where the person typed them', () => {
  expect(parseOpenRequest(['sessions'], '/home/me').path).toBe('/home/me/sessions')
  expect(parseOpenRequest(['..'], '/home/me').path).toBe('/home')
  expect(parseOpenRequest(['/abs/'], '/home/me').path).toBe('/abs')
  expect(parseOpenRequest(['--index', 'i.db'], '/home/me').index).toBe('/home/me/i.db')
  expect(parseOpenRequest(['--index', ':memory:'], '/home/me').index).toBe(':memory:')
})

test('every option is read', () => {
  const argv = [
    'f.jsonl',
    '--entry',
    'e',
    '--agent',
    'pi',
    '--shell',
    'browser',
    '--port',
    '8080',
    '--no-open',
    '--json'
  ]
  expect(parseOpenRequest(argv, '/')).toEqual({
    ...nothing,
    path: '/f.jsonl',
    entry: 'e',
    agent: 'pi',
    shell: 'browser',
    port: 8080,
    window: false,
    json: true
  })
  expect(parseOpenRequest(['--shell', 'none'], '/').window).toBe(false)
})

test.each([
  [['a', 'b'], /too many/],
  [[''], /no name/],
  [['--entry', 'e'], /needs a session file/],
  [['--shell', 'firefox'], /one of electron, browser, none/],
  [['--agent', 'x'], /one of omp/],
  [['--port', '80x'], /up to 65535/],
  [['--port', '65536'], /up to 65535/],
  [['--what'], /--what/]
])('%j is wrong usage', (argv, message) => {
  expect(() => parseOpenRequest(argv, '/')).toThrow(message)
})

test('a request survives the way to another process', () => {
  const text = fc.string({ minLength: 1 })
  const request = fc.record({
    path: fc.string().map((name) => `/${name.replaceAll('/', '_').replaceAll('.', '_')}`),
    entry: fc.option(text),
    agent: fc.option(fc.constantFrom(...agentIds)),
    index: fc.option(fc.constantFrom(':memory:', '/index.db')),
    shell: fc.option(fc.constantFrom(...shells)),
    port: fc.nat(65_535),
    window: fc.boolean(),
    json: fc.boolean(),
    why: fc.string()
  })
  fc.assert(
    fc.property(request, (sent) => {
      const received = parseOpenRequest(openArguments(sent), '/elsewhere')
      expect(received).toEqual({ ...sent, window: sent.window && sent.shell !== 'none' })
    })
  )
})

test("an Electron process finds its request behind the app's folder, or, in a package, at once", () => {
  const own = openArguments({ ...nothing, path: '/f' })
  const cwd = () => '/'
  const argv = ['/electron', '--no-sandbox', '/app', ...own]
  expect(openRequestOf({ argv, defaultApp: true, cwd }).path).toBe('/f')
  expect(openRequestOf({ argv: ['/Treeline', ...own], cwd }).path).toBe('/f')
})
