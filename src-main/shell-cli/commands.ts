import { branch } from './branch.ts'
import { cache } from './cache.ts'
import type { Command } from './command.ts'
import { compactions } from './compactions.ts'
import { context } from './context.ts'
import { exportCommand } from './export.ts'
import { label } from './label.ts'
import { list } from './list.ts'
import { open } from './open.ts'
import { replay } from './replay.ts'
import { show } from './show.ts'
import { stats } from './stats.ts'
import { verify } from './verify.ts'

export const commands: readonly Command[] = [
  open,
  list,
  show,
  context,
  compactions,
  stats,
  cache,
  branch,
  label,
  exportCommand,
  replay,
  verify
]
