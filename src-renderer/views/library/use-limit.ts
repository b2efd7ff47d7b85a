import { useApp } from '#renderer/state/store.ts'

/** Lists one project alone, by its folder, unfolded; null lists all again. */
export function useLimit(): (project: string | null) => void {
  const put = useApp((state) => state.putLibrary)
  const unfold = useApp((state) => state.unfoldInLibrary)
  return (project) => {
    put({ libraryProject: project })
    if (project !== null) unfold(`project:${project}`, [])
  }
}
