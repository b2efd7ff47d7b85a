import type { Format } from './format.ts'
import { omp } from './omp/index.ts'

/** Every format that can be read. */
export const formats: readonly Format[] = [omp]
