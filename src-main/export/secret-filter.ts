import { Refusal } from '#shared/contract/refusal.ts'
import { countInJson } from './count-in-json.ts'
import { redactText, SecretTally } from './find-secrets.ts'
import { redactJson } from './redact-json.ts'

/** What becomes of a session's texts on their way into an export. */
export interface SecretFilter {
  readonly redacts: boolean
  /** A whole text. */
  text(text: string): string
  /** What of a text may be shown that may have been cut anywhere, even within a secret; to be run through as a whole then. */
  uncut(text: string): string
  /** JSON text; what comes out is as valid as what went in. */
  json(text: string): string
  /** JSON that is too long for one text, and stays as it is; refused as `unsupported` where that cannot be. */
  longJson(line: Buffer): void
}

/** Leaves every text as it is. */
export const keepSecrets: SecretFilter = {
  redacts: false,
  text: (text) => text,
  uncut: (text) => text,
  json: (text) => text,
  longJson: () => {}
}

/** Leaves every text as it is and counts what `redactSecrets` would replace. */
export const countSecrets = (tally: SecretTally): SecretFilter => {
  const counting =
    (redact: (text: string) => string) =>
    (text: string): string => {
      redact(text)
      return text
    }
  const { text, json } = redactSecrets(tally)
  return {
    redacts: false,
    text: counting(text),
    uncut: keepSecrets.uncut,
    json: counting(json),
    longJson: (line) => countInJson(line, tally)
  }
}

/** Replaces what looks like a secret, and counts it. */
export const redactSecrets = (tally: SecretTally): SecretFilter => ({
  redacts: true,
  text: (text) => redactText(text, tally),
  uncut(text) {
    const rest = withoutCutWord(text)
    if (rest !== text) {
      // A secret that goes with the cut word is one that was there.
      tally.addAll(secretsIn(text))
      tally.addAll(secretsIn(rest), -1)
    }
    return rest
  },
  json: (text) => redactJson(text, (part) => redactText(part, tally)),
  longJson(line) {
    throw new Refusal(
      'unsupported',
      `A line of ${line.length} bytes is too long to be redacted. Export without it, by a path that leaves it out.`
    )
  }
})

function secretsIn(text: string): SecretTally {
  const tally = new SecretTally()
  redactText(text, tally)
  return tally
}

/** Shorter texts are never cut; those that are end in an ellipsis or at 200 characters. */
const mayBeCut = /…$|^[^]{199}/

/** The start of a secret would not be recognised: a word that may have been cut is left out. */
function withoutCutWord(text: string): string {
  return mayBeCut.test(text) ? `${text.replace(/\S+$/, '')}…` : text
}
