/** The command line itself is wrong: exit code 2, one line on stderr. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
