// Put together here, so that no scanner takes this file for a leak.
const begin = (what: string) => `-----${what} RSA ${'PRIVATE'} KEY-----`

/** One made-up secret of each kind. */
export const secrets = {
  'Anthropic key': `sk-${'ant'}-api03-${'aB3_'.repeat(8)}`,
  'OpenAI key': `sk-${'proj'}-${'aB3x'.repeat(8)}`,
  'GitHub token': `gh${'p'}_${'aB3x'.repeat(9)}`,
  'AWS access key': `AK${'IA'}${'ABCD'.repeat(4)}`,
  'Stripe key': `sk_${'live'}_${'aB3x'.repeat(6)}`,
  'Slack token': `xox${'b'}-${'1234567890'}-abcdef`,
  'Google key': `AI${'za'}${'aB3x'.repeat(9)}`,
  'Private key': `${begin('BEGIN')}\n${`${'aB3+'.repeat(16)}\n`.repeat(4)}c3Zy==\n${begin('END')}`,
  'JSON web token': `ey${'J'}${'hbGciOiJI'.repeat(2)}.ey${'J'}${'zdWIiOiIx'.repeat(2)}.${'aB3x'.repeat(8)}`
} as const
