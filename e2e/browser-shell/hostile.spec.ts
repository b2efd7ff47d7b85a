import { assistant, header, label, sessionFile, toolResult, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

const hostile = [
  '<script>document.title = "taken"</script>',
  '<img src=x onerror="document.title = \'taken\'">',
  '[a link](javascript:document.title="taken")',
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe>',
  '<a href="javascript:document.title=1" style="position:fixed;inset:0">everything</a>'
]

test('what a session file says is text and nothing else', async ({ home, open }) => {
  const text = hostile.join('\n')
  const page = await open(
    home.session(
      'hostile',
      sessionFile([
        header({ cwd: `/home/${hostile[0]}`, title: hostile[1] }),
        user(text, { id: 'ask' }),
        assistant(text, {
          id: 'answer',
          thinking: text,
          calls: [{ id: 'c', name: hostile[0]!, arguments: { html: text } }]
        }),
        toolResult('c', hostile[0]!, text, { id: 'result' }),
        label('ask', hostile[1]!, { id: '"><b>mark' })
      ])
    )
  )
  for (const row of [0, 1, 2, 3]) {
    await app(page).entries.getByRole('treeitem').nth(row).click()
    await expect(app(page).inspector).toBeVisible()
  }
  await app(page).entry(/^You/).click()
  await expect(app(page).inspector).toContainText(hostile[0]!)
  await expect(app(page).inspector).toContainText('onerror')
  await app(page).tab('Raw').press('Enter')
  await expect(app(page).line('onerror').first()).toBeVisible()
  await expect(page.locator('iframe, img[src="x"], a[href^="javascript:"]')).toHaveCount(0)
  await expect(page).not.toHaveTitle('taken')
})

test('nothing of a file makes an element, whichever member it stands in', async ({ home, open }) => {
  const trap = '<img class=trap src=x onerror="document.title = \'taken\'">'
  const word = (place: string) => `${place} ${trap}`
  const at = (id: string, parentId: string | null, members: object) =>
    JSON.stringify({ id, parentId, timestamp: '2026-01-01T00:00:00.000Z', ...members })
  const file = home.session(
    trap.replaceAll('/', ''),
    [
      JSON.stringify({
        type: 'session',
        version: word('version'),
        id: word('id'),
        timestamp: word('time'),
        cwd: `/${word('cwd')}`,
        parentSession: word('parent')
      }),
      at('a', word('orphan'), {
        type: 'message',
        message: {
          role: 'user',
          content: [
            { type: 'text', text: word('prompt') },
            { type: 'image', mimeType: word('image'), data: word('data') },
            { type: word('block') }
          ]
        }
      }),
      at('b', 'a', {
        type: 'message',
        message: {
          role: 'assistant',
          provider: word('provider'),
          model: word('model'),
          stopReason: word('stop'),
          errorMessage: word('error'),
          content: [
            {
              type: 'toolCall',
              id: word('call'),
              name: word('tool'),
              arguments: { command: word('argument'), [trap]: trap }
            }
          ]
        }
      }),
      at('c', 'b', {
        type: 'message',
        message: { role: 'bashExecution', command: word('command'), output: word('output'), exitCode: 1 }
      }),
      at('d', 'c', { type: 'message', message: { role: word('role'), content: word('text') } }),
      at(word('e'), 'd', { type: word('type'), data: trap }),
      at('f', word('e'), { type: 'compaction', summary: word('summary'), firstKeptEntryId: trap, tokensBefore: 1 }),
      at('g', 'f', { type: 'label', targetId: 'a', label: word('label') }),
      at('h', 'g', { type: 'session_info', name: word('title') }),
      at('i', 'h', { type: 'branch_summary', fromId: trap, summary: word('branch') }),
      at('j', 'i', { type: 'custom_message', customType: trap, content: word('custom'), display: true }),
      at('k', 'j', { type: 'model_change', provider: word('new'), modelId: trap }),
      at('l', 'k', { type: 'thinking_level_change', thinkingLevel: word('level') }),
      word('torn'),
      ''
    ].join('\n')
  )
  const page = await open(file)
  const isClean = async () => {
    await expect(page.locator('.trap')).toHaveCount(0)
    await expect(page).not.toHaveTitle('taken')
  }
  const rows = app(page).entries.getByRole('treeitem')
  await expect(rows).toHaveCount(12)
  for (let row = 0; row < 12; row++) {
    await rows.nth(row).click()
    await expect(app(page).inspector).toBeVisible()
    await isClean()
  }
  await app(page)
    .entry(/prompt/)
    .click()
  for (const key of ['b', 'e']) {
    await page.keyboard.press(key)
    await expect(app(page).dialog).toContainText(/Branch from here|Export/)
    await isClean()
    await page.keyboard.press('Escape')
    await expect(app(page).dialog).toHaveCount(0)
  }
  await app(page).tab('Raw').press('Enter')
  await expect(app(page).line('torn').first()).toBeVisible()
  await isClean()
})
