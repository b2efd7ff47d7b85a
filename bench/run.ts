import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fullSizes, type Measured, measureAll } from './cases.ts'
import { launchBrowser } from './page.ts'

interface Ratio extends Measured {
  /** Beside the plain read of the same run. */
  readonly wallRatio: number
  readonly cpuRatio: number | null
}

const baselineFile = resolve(import.meta.dirname, 'baseline.json')
const saves = process.argv.includes('--save')
const folder = mkdtempSync(join(tmpdir(), 'treeline-bench-'))
const browser = await launchBrowser()
try {
  const baseline = new Map((JSON.parse(readFileSync(baselineFile, 'utf8')) as Ratio[]).map((row) => [row.name, row]))
  const measured: Measured[] = []
  for await (const row of measureAll(folder, fullSizes, browser)) {
    console.error(`${row.name}: ${Math.round(row.wall)} ms`)
    measured.push(row)
  }
  const plain = measured.find(({ name }) => name.startsWith('plain read'))
  const plainCpu = plain?.cpu ?? null
  const rows = measured.map((row): Ratio => ({
    ...row,
    wallRatio: row.wall / (plain?.wall ?? Number.NaN),
    cpuRatio: row.cpu === null || plainCpu === null ? null : row.cpu / plainCpu
  }))
  console.error(table(rows, baseline))
  const json = `${JSON.stringify(rows.map(rounded), null, 2)}\n`
  process.stdout.write(json)
  if (saves) writeFileSync(baselineFile, json)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}

/** Times in milliseconds and as multiples of the plain read, `then` as the baseline has them. */
function table(rows: readonly Ratio[], baseline: ReadonlyMap<string, Ratio>): string {
  const head = ['', 'wall ms', '× read', 'then', 'cpu ms', '× read', 'then', 'memory MB', 'longest task ms']
  const body = rows.map((row) => {
    const then = baseline.get(row.name)
    return [
      row.name,
      shown(row.wall, 0),
      shown(row.wallRatio, 2),
      shown(then?.wallRatio, 2),
      shown(row.cpu, 0),
      shown(row.cpuRatio, 2),
      shown(then?.cpuRatio, 2),
      shown(row.memory === null ? null : row.memory / 1e6, 0),
      shown(row.longestTask, 0)
    ]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)))
  return [head, ...body]
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
    )
    .join('\n')
}

function shown(value: number | null | undefined, digits: number): string {
  return value?.toFixed(digits) ?? '-'
}

function rounded(row: Ratio): Ratio {
  const round = (value: number | null) => value && Math.round(value * 1000) / 1000
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? round(value) : value])
  ) as unknown as Ratio
}
