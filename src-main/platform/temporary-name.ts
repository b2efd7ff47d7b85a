import { randomBytes } from 'node:crypto'

/** The name of a file or folder that is being made; nothing in it is to be read as a session. */
export const temporaryName = (): string => `.treeline.${randomBytes(8).toString('hex')}.tmp`

export const isTemporary = (name: string): boolean => /^\.treeline\.[0-9a-f]{16}\.tmp$/.test(name)
