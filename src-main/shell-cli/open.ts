import type { Command } from './command.ts'

/** Only read here for help: the shells read the arguments again, since `npm start` hands them the same. */
export const open: Command = {
  name: 'open',
  synopsis: 'open [FOLDER|FILE] [--entry ID] [--shell electron|browser|none] [--port N] [--no-open]',
  about: 'the window, until its last one closes; with --no-open until it is interrupted',
  prepare: (argv) => (argv.includes('--help') || argv.includes('-h') ? { kind: 'help' } : { kind: 'open', argv })
}
