import { countSecretsIn, SecretTally } from './find-secrets.ts'
import { jsonStrings } from './json-strings.ts'

const longestPiece = 2 ** 22

/**
 * Counts in a line of JSON what `redactJson` finds in it, strings as what they mean, without ever making one text of the
 * line or of a long string.
 */
export function countInJson(line: Buffer, tally: SecretTally, pieceLength = longestPiece): void {
  let outside = 0
  for (const [open, end] of jsonStrings(line)) {
    countSecretsIn(plainPieces(line.subarray(outside, open), pieceLength), tally)
    countInLiteral(line.subarray(open, end), tally, pieceLength)
    outside = end
  }
  countSecretsIn(plainPieces(line.subarray(outside), pieceLength), tally)
}

function countInLiteral(literal: Buffer, tally: SecretTally, pieceLength: number): void {
  const within = literal.subarray(1, -1)
  if (!within.includes(backslash)) return countSecretsIn(plainPieces(within, pieceLength), tally)
  const meant = new SecretTally()
  try {
    countSecretsIn(meantPieces(within, pieceLength), meant)
    tally.addAll(meant)
  } catch {
    // It is no JSON, and searched as it stands.
    countSecretsIn(plainPieces(literal, pieceLength), tally)
  }
}

function* plainPieces(bytes: Buffer, pieceLength: number): Generator<string> {
  for (let at = 0; at < bytes.length;) {
    const end = characterEnd(bytes, at + pieceLength)
    yield bytes.toString('utf8', at, end)
    at = end
  }
}

/** The string that lies between two quotes, in pieces. Throws where it is no JSON. */
function* meantPieces(bytes: Buffer, pieceLength: number): Generator<string> {
  for (let at = 0; at < bytes.length;) {
    const end = characterEnd(bytes, escapeEnd(bytes, at, at + pieceLength))
    yield JSON.parse(`"${bytes.toString('utf8', at, end)}"`) as string
    at = end
  }
}

const backslash = 0x5c
const letterU = 0x75

/** `end`, or behind the escape that it lies in; `at` lies in none. */
function escapeEnd(bytes: Buffer, at: number, end: number): number {
  let behind = at
  for (let next = bytes.indexOf(backslash, at); next !== -1 && next < end; next = bytes.indexOf(backslash, behind)) {
    behind = next + (bytes[next + 1] === letterU ? 6 : 2)
  }
  return Math.max(end, behind)
}

/** `end`, or behind the character of UTF-8 that it lies in. */
function characterEnd(bytes: Buffer, end: number): number {
  let behind = end
  while (behind < end + 3 && isContinuation(bytes[behind])) behind++
  return behind
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
