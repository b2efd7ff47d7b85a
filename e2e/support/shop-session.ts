import { assistant, header, label, sessionFile, toolResult, user } from './build-session.ts'

/** A session of pi with two branches below `done`: blue buttons, and green ones, the default. */
export const shopSession = sessionFile([
  header(),
  user('Add a checkout page', { id: 'ask' }),
  assistant('I look at the shop first.', {
    id: 'look',
    thinking: 'Where are the pages?',
    calls: [{ id: 'call-1', name: 'read', arguments: { path: 'shop.ts' } }]
  }),
  toolResult('call-1', 'read', 'export const shop = 1', { id: 'seen' }),
  assistant('The page is there.', { id: 'done' }),
  user('Make the buttons blue', { id: 'blue' }),
  assistant('They are blue.', { id: 'blue-done' }),
  label('done', 'works', { id: 'mark' }),
  user('Make the buttons green', { id: 'green', parent: 'done' }),
  assistant('They are green.', { id: 'green-done' })
])
