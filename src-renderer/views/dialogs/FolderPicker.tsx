import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { FolderKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { usePicker } from '#renderer/state/queries.ts'
import { useRowHeight } from '#renderer/state/settings.ts'
import css from './FolderPicker.module.css'

interface FolderPickerProps {
  /** Told the folder that is being looked at; null while it is still read or what is typed names none of its folders. */
  readonly onChange: (folder: FolderKey | null) => void
}

/** Walks the folders of the machine that Treeline runs on: arrow keys move, Enter goes in, Backspace goes up. */
export function FolderPicker({ onChange }: FolderPickerProps): ReactNode {
  const [at, setAt] = useState<FolderKey | null>(null)
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const listId = useId()
  const page = usePicker(at)
  const folder = page.isPlaceholderData ? null : page.data?.key
  const parent = page.data?.parent ?? null
  const words = filter.toLowerCase()
  const folders = page.data?.folders.filter(({ name }) => name.toLowerCase().includes(words)) ?? []
  const isNowhere = filter !== '' && folders.length === 0
  const virtual = useVirtualizer({
    count: folders.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    overscan: 8
  })
  useEffect(() => {
    if (folder !== undefined) onChange(isNowhere ? null : folder)
  }, [folder, isNowhere, onChange])

  const activate = (index: number) => {
    const clamped = Math.max(0, Math.min(folders.length - 1, index))
    setActive(clamped)
    virtual.scrollToIndex(clamped)
  }
  const narrow = (text: string) => {
    setFilter(text)
    setActive(0)
  }
  const goTo = (next: FolderKey | null | undefined) => {
    // While the next folder is read, what is listed is the one before.
    if (next === null || next === undefined || page.isPlaceholderData) return
    narrow('')
    setAt(next)
    virtual.scrollToOffset(0)
    list.current?.focus()
  }
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    Home: () => activate(0),
    End: () => activate(folders.length - 1),
    Enter: () => goTo(folders[active]?.key),
    Backspace: () => goTo(parent)
  }
  const onKey = (keys: readonly string[]) => (event: KeyboardEvent) => {
    if (!keys.includes(event.key)) return
    event.preventDefault()
    moves[event.key]?.()
  }

  return (
    <div className={css.picker}>
      <div className={css.place}>
        <Button disabled={parent === null} title="The folder above (Backspace)" onClick={() => goTo(parent)}>
          Up
        </Button>
        <code className={css.path}>{page.data?.path}</code>
        <input
          className={css.filter}
          type="search"
          aria-label="Filter folders"
          aria-controls={listId}
          placeholder="Filter"
          spellCheck={false}
          value={filter}
          onChange={(event) => narrow(event.target.value)}
          onKeyDown={onKey(['ArrowDown', 'ArrowUp', 'Enter'])}
        />
      </div>
      <div
        ref={list}
        id={listId}
        className={css.list}
        role="listbox"
        aria-label="Folders"
        aria-activedescendant={folders.length > 0 ? `${listId}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKey(Object.keys(moves))}
      >
        <div role="presentation" className={css.sizer} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              aria-setsize={folders.length}
              aria-posinset={index + 1}
              className={css.folder}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => goTo(folders[index]?.key)}
            >
              {folders[index]?.name}
            </div>
          ))}
        </div>
      </div>
      {page.error !== null ? (
        <FailureNotice error={page.error} />
      ) : page.data === undefined ? (
        <Notice kind="busy" title="Reading the folder" />
      ) : (
        folders.length === 0 && (
          <p className={css.note} role="status">
            {isNowhere
              ? `No folder here is named “${filter}”. Type a part of a name, not a path; “Up” shows the folder above.`
              : 'No folders in here.'}
          </p>
        )
      )}
    </div>
  )
}
