// Has the agents' own programs load every kind of file that we write, and compares what they make of it with what we say.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { compareDsh } from './oracle/dsh.ts'
import { comparePiAndOmp } from './oracle/pi-and-omp.ts'

const all = { 'pi-and-omp': comparePiAndOmp, dsh: compareDsh }
const named = process.argv.slice(2)

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-oracle-')))
let isSame = true
for (const [name, compare] of Object.entries(all)) {
  if (named.length > 0 && !named.includes(name)) continue
  mkdirSync(join(folder, name))
  const compared = await compare(join(folder, name))
  const differences = new Set(compared.filter(({ ours, theirs }) => !isDeepStrictEqual(theirs, ours)))
  for (const [kind, files] of Map.groupBy(compared, ({ agent, how }) => `${agent}: ${how}`)) {
    const wrong = files.filter((file) => differences.has(file)).length
    console.log(
      `${wrong === 0 ? 'ok     ' : 'DIFFERS'} ${kind}, ${files.length} files${wrong === 0 ? '' : `, ${wrong} differ`}`
    )
  }
  for (const { how, agent, file, ours, theirs } of differences) {
    console.log(`\n${agent}, ${how}: ${file}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`)
  }
  isSame &&= differences.size === 0
}
if (!isSame) process.exit(1)
rmSync(folder, { recursive: true })
