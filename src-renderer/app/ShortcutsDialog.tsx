import type { ReactNode } from 'react'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { useApp } from '#renderer/state/store.ts'
import css from './ShortcutsDialog.module.css'
import { listKeys, shortcuts } from './shortcuts.ts'

export function ShortcutsDialog(): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  return (
    <Modal title="Shortcuts" closeLabel="Close" onClose={closeDialog}>
      <KeyTable title="Everywhere" rows={shortcuts.map(({ shown, what }) => [shown, what])} />
      <KeyTable title="In lists and in the tree" rows={listKeys} />
    </Modal>
  )
}

function KeyTable(props: { readonly title: string; readonly rows: readonly (readonly [string, string])[] }): ReactNode {
  return (
    <section>
      <h3>{props.title}</h3>
      <dl className={css.keys}>
        {props.rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
