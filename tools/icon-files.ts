/** A square picture as a PNG file. */
export interface Picture {
  readonly size: number
  readonly png: Buffer
}

/** An icon file of Windows that holds PNG pictures of at most 256 pixels. */
export function ico(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  pictures.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  })
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

/** Names of PNG pictures in an icon file of macOS by their size; sizes without one are left out. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10']
}

/** An icon file of macOS. */
export function icns(pictures: readonly Picture[]): Buffer {
  const parts = pictures.flatMap(({ size, png }) => (icnsTypes[size] ?? []).map((type) => chunk(type, png)))
  return chunk('icns', Buffer.concat(parts))
}

function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(8 + content.length, 4)
  return Buffer.concat([head, content])
}
