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
