// Runs in the agent's own runtime, which may be Bun: prints what its session manager makes of files, a line of JSON each.
const [, , module, ...files] = process.argv
const { SessionManager } = await import(module)

/** The texts of a message's blocks, of a shell command and its output, or of a summary. */
function textOf({ role, content, summary, command, code, output, files: mentioned }) {
  if (role === 'compactionSummary' || role === 'branchSummary') return summary
  if (role === 'bashExecution' || role === 'pythonExecution') return `${command ?? code}\n${output}`
  if (role === 'fileMention') return mentioned.map((file) => `${file.path}\n${file.content}`).join('\n')
  if (typeof content === 'string') return content
  return (content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

for (const file of files) {
  const session = await SessionManager.open(file)
  const { messages } = session.buildSessionContext()
  const seen = messages.map((message) => [message.role, textOf(message)])
  process.stdout.write(`${JSON.stringify({ leaf: session.getLeafId(), messages: seen })}\n`)
}
