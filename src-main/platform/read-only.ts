import { constants } from 'node:fs'

/**
 * Flags to open other programs' files with: never written, no symlink followed, no wait at a pipe that nobody writes to.
 * The last two do not exist on Windows.
 */
export const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
