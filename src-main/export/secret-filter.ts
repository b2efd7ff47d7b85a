import { redactText, type SecretTally } from './find-secrets.ts'
import { redactJson } from './redact-json.ts'

/** What becomes of a session's texts on their way into an export. */
export interface SecretFilter {
  readonly redacts: boolean
  /** A whole text. */
  text(text: string): string
  /** A text that may have been cut anywhere, even within a secret. */
  cutText(text: string): string
  /** JSON text; what comes out is as valid as what went in. */
  json(text: string): string
}

/** Leaves every text as it is. */
export const keepSecrets: SecretFilter = {
  redacts: false,
  text: (text) => text,
  cutText: (text) => text,
  json: (text) => text
}

/** Leaves every text as it is and counts what looks like a secret. */
export const countSecrets = (tally: SecretTally): SecretFilter => {
  const counting =
    (redact: (text: string) => string) =>
    (text: string): string => {
      redact(text)
      return text
    }
  const { text, cutText, json } = redactSecrets(tally)
  return { redacts: false, text: counting(text), cutText: counting(cutText), json: counting(json) }
}

/** Replaces what looks like a secret, and counts it. */
export const redactSecrets = (tally: SecretTally): SecretFilter => ({
  redacts: true,
  text: (text) => redactText(text, tally),
  cutText: (text) => redactText(withoutCutWord(text), tally),
  json: (text) => redactJson(text, (part) => redactText(part, tally))
})

/** Shorter texts are never cut; those that are end in an ellipsis or at 200 characters. */
const mayBeCut = /…$|^[^]{199}/

/** The start of a secret would not be recognised: a word that may have been cut is left out. */
function withoutCutWord(text: string): string {
  return mayBeCut.test(text) ? `${text.replace(/\S+$/, '')}…` : text
}
