// What the rest is measured beside: reads a file and parses every line, in a process of its own.
import { createReadStream } from 'node:fs'

const started = performance.now()
let lines = 0
let rest: Buffer[] = []
for await (const part of createReadStream(process.argv[2] ?? '', { highWaterMark: 1 << 20 })) {
  const chunk = part as Buffer
  let from = 0
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
    JSON.parse(Buffer.concat([...rest, chunk.subarray(from, end)]).toString())
    rest = []
    from = end + 1
    lines++
  }
  if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)))
}
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ lines, wall: performance.now() - started, cpu: (user + system) / 1000 }))
