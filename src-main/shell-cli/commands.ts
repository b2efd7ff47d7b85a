import { branch } from './branch.ts'
import type { Command } from './command.ts'
import { context } from './context.ts'
import { exportCommand } from './export.ts'
import { list } from './list.ts'
import { open } from './open.ts'
import { show } from './show.ts'
import { verify } from './verify.ts'

export const commands: readonly Command[] = [open, list, show, context, branch, exportCommand, verify]
