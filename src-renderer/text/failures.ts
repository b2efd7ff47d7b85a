import { InternalError, Refusal } from '#shared/contract/refusal.ts'

export interface Failure {
  readonly title: string
  /** What happened, where, and what to do. */
  readonly message: string
  /** Path of the file concerned, if one is. */
  readonly file: string | null
}

const entryGone = 'The entry is gone'

const titles: Readonly<Record<Refusal['code'], string>> = {
  'not-found': 'The file is gone',
  stale: 'The file has changed',
  unsupported: 'This is not supported',
  'read-only': 'This place cannot be written to',
  'invalid-input': 'The request was not understood',
  cancelled: 'Cancelled',
  disconnected: 'The engine is not connected',
  'not-resumable': 'The agent could not go on from here',
  exists: 'There is such a file already'
}

/** A refusal, a bug or any other error in the words of the window. */
export function failureOf(error: Error): Failure {
  if (error instanceof Refusal) {
    const title = error.code === 'not-found' && error.entry !== null ? entryGone : titles[error.code]
    return { title, message: withoutFile(error), file: error.file }
  }
  if (error instanceof InternalError) {
    return { title: `Treeline made a mistake (${error.id})`, message: error.message, file: null }
  }
  return { title: 'Something went wrong', message: error.message, file: null }
}

/** The message of a refusal whose file is shown beside it: it need not begin with the path again. */
const withoutFile = ({ message, file }: Refusal): string =>
  file !== null && message.startsWith(`${file} `) ? `It ${message.slice(file.length + 1)}` : message
