import { useLayoutEffect, useSyncExternalStore } from 'react'
import { useSettings } from '#renderer/state/settings.ts'

const moreContrast = matchMedia('(prefers-contrast: more)')

function onContrast(changed: () => void): () => void {
  moreContrast.addEventListener('change', changed)
  return () => moreContrast.removeEventListener('change', changed)
}

/** Gives the page the theme, contrast and density that the person chose, or that the system asks for. */
export function useLook(): void {
  const settings = useSettings().data?.settings
  const systemWantsMore = useSyncExternalStore(onContrast, () => moreContrast.matches)
  const { theme = 'system', contrast = 'system', density = 'comfortable' } = settings ?? {}
  const isMore = contrast === 'more' || systemWantsMore
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    Object.assign(dataset, { theme, density, contrast: isMore ? 'more' : 'system' })
  }, [theme, density, isMore])
}
