import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { type CallName, type Input, type Output, useClient } from './client.ts'
import { keys, useAppInfo } from './queries.ts'
import { useApp } from './store.ts'

type ActionName = Extract<
  CallName,
  | 'engine.restart'
  | 'folder.open'
  | 'folder.dialog'
  | 'folder.choose'
  | 'folder.close'
  | 'branch.write'
  | 'entry.label'
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
      if (name.endsWith('.reveal') || name.startsWith('export.') || name === 'folder.choose') return
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

/** Opens a folder that is offered; what goes wrong is shown, whatever is on screen by then. */
export function useOpenOffer(): (folder: FolderKey) => void {
  const client = useClient()
  const openDialog = useApp((state) => state.openDialog)
  return (folder) => {
    client.call('folder.open', { folder }).catch((error: Error) => openDialog({ kind: 'problem', error }))
  }
}

/** Shows a link's address, to be copied or opened; a link opens nothing by itself. */
export function useShowLink(): (address: string) => void {
  const openDialog = useApp((state) => state.openDialog)
  return useCallback((address) => openDialog({ kind: 'link', address }), [openDialog])
}
