import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './find-browser.ts'
import { icns, ico, type Picture } from './icon-files.ts'

// Draws the app's icon in every size that a package needs, from the one drawing. Run by hand when the drawing changes.

const resources = join(import.meta.dirname, '../resources')
const drawing = readFileSync(join(import.meta.dirname, '../src-renderer/icon.svg'), 'utf8')
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]

const { executablePath, env } = findBrowser()
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({
  executablePath,
  args: sandbox,
  env: { ...(process.env as Record<string, string>), ...env }
})
const page = await browser.newPage()
const pictures: Picture[] = []
for (const size of sizes) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    drawing.replace('<svg ', `<svg style="position:fixed;inset:0;width:${size}px;height:${size}px" `)
  )
  pictures.push({ size, png: await page.screenshot({ omitBackground: true }) })
}
await browser.close()

mkdirSync(join(resources, 'icons'), { recursive: true })
for (const { size, png } of pictures) writeFileSync(join(resources, 'icons', `${size}x${size}.png`), png)
writeFileSync(join(resources, 'icon.ico'), ico(pictures.filter(({ size }) => size <= 256)))
writeFileSync(join(resources, 'icon.icns'), icns(pictures))
