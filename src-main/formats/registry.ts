import { codelia } from './codelia/index.ts'
import { dsh } from './dsh/index.ts'
import type { Format } from './format.ts'
import { omp } from './omp/index.ts'
import { shellAgent } from './shell-agent/index.ts'

/** Every format that can be read. */
export const formats: readonly Format[] = [omp, codelia, dsh, shellAgent]
