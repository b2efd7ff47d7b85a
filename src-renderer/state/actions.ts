import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SessionKey } from '#shared/model/keys.ts'
import { type CallName, type Input, type Output, useClient } from './client.ts'
import { keys, useAppInfo } from './queries.ts'
import { useApp } from './store.ts'

type ActionName = Extract<
  CallName,
  | 'folder.open'
  | 'folder.dialog'
  | 'folder.close'
  | 'branch.write'
  | 'written.trash'
  | 'written.reveal'
  | 'export.write'
  | 'export.dialog'
  | 'session.reveal'
>

/** A call that does something; the lists that it may have changed are asked for again. */
export function useAction<K extends ActionName>(name: K): UseMutationResult<Output<K>, Error, Input<K>> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<K>) => client.call(name, input),
    onSuccess: async () => {
      if (name.endsWith('.reveal') || name.startsWith('export.')) return
      await Promise.all([
        queries.invalidateQueries({ queryKey: keys.folders }),
        queries.invalidateQueries({ queryKey: keys.sessions })
      ])
    }
  })
}

/** Selects a session, and an entry or a line of it where given. */
export function useGoTo(): (session: SessionKey, at?: { entry?: string; line?: number }) => void {
  const selectSession = useApp((state) => state.selectSession)
  const changeView = useApp((state) => state.changeView)
  return (session, at = {}) => {
    selectSession(session)
    if (at.entry !== undefined) changeView(session, { entry: at.entry, tab: 'tree' })
    if (at.line !== undefined) changeView(session, { line: at.line, tab: 'raw' })
  }
}

/** Asks for a folder to open: the shell's own dialog where there is one, else the engine's picker. */
export function useOpenFolder(): () => void {
  const native = useAppInfo().data?.nativeDialog === true
  const openDialog = useApp((state) => state.openDialog)
  const choose = useAction('folder.dialog')
  return () => {
    if (native) choose.mutate({}, { onError: (error) => openDialog({ kind: 'problem', error }) })
    else openDialog({ kind: 'folder' })
  }
}
