import { useEffect } from 'react'
import { useApp } from '#renderer/state/store.ts'

/** A browser would leave the page for what is dropped on it, and does not say where it lies: the folder is asked for. */
export function useDrop(): void {
  const openDialog = useApp((state) => state.openDialog)
  useEffect(() => {
    // In Electron the preload sees the drop and opens what was dropped.
    if (window.bridge !== undefined) return
    const over = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      if (event.dataTransfer?.types.includes('Files') === true) openDialog({ kind: 'folder', dropped: true })
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [openDialog])
}
