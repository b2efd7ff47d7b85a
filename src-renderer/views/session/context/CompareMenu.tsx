import { type FormEvent, type ReactNode, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { positionsOf } from '#renderer/state/outline-path.ts'
import { useOutline } from '#renderer/state/queries.ts'
import { LeafList } from '../LeafList.tsx'
import css from './Context.module.css'

interface CompareMenuProps {
  readonly session: SessionKey
  readonly entry: string
  readonly onChoose: (entry: string) => void
}

/** Every leaf, and a field for any other entry, to compare an entry's context with. */
export function CompareMenu({ session, entry, onChoose }: CompareMenuProps): ReactNode {
  const outline = useOutline(session).data
  const [id, setId] = useState('')
  const [isUnknown, sayUnknown] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isThere = outline !== undefined && positionsOf(outline).has(id.trim())
    if (isThere) onChoose(id.trim())
    else sayUnknown(true)
  }
  return (
    <>
      <form className={css.form} onSubmit={submit}>
        <label>
          Entry{' '}
          <input
            className={css.input}
            value={id}
            placeholder="id"
            spellCheck={false}
            onChange={(event) => {
              setId(event.target.value)
              sayUnknown(false)
            }}
          />
        </label>
        <Button type="submit">Compare</Button>
        <Button title="Then select another entry in the tree (D)" onClick={() => onChoose(entry)}>
          Keep this one, choose in the tree
        </Button>
        {isUnknown && (
          <p className={css.failed} role="alert">
            This session has no entry of that id.
          </p>
        )}
      </form>
      <LeafList session={session} onLeaf={onChoose} />
    </>
  )
}
