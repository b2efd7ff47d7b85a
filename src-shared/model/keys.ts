import * as v from 'valibot'

/** Names a session in the index: the same for the same real path, so that it outlives a rebuilt index. */
export const SessionKey = v.pipe(v.string(), v.brand('SessionKey'))
export type SessionKey = v.InferOutput<typeof SessionKey>

/** Names a folder that was opened, offered or listed by the picker; the page never names a path. */
export const FolderKey = v.pipe(v.string(), v.brand('FolderKey'))
export type FolderKey = v.InferOutput<typeof FolderKey>

/** Names a file that this process wrote on request (a branch, an export). */
export const WrittenKey = v.pipe(v.string(), v.brand('WrittenKey'))
export type WrittenKey = v.InferOutput<typeof WrittenKey>
