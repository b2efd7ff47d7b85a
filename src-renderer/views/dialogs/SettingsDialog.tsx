import type { ReactNode } from 'react'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useChangeSettings, useSettings } from '#renderer/state/settings.ts'
import { useApp } from '#renderer/state/store.ts'
import { Choice } from './Choice.tsx'

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' }
] as const

const contrasts = [
  { value: 'system', label: 'As the system' },
  { value: 'more', label: 'High', hint: 'Text at seven to one, stronger lines.' }
] as const

const densities = [
  { value: 'comfortable', label: 'Comfortable', hint: 'Rows 26 pixels high.' },
  { value: 'compact', label: 'Compact', hint: 'Rows 22 pixels high.' }
] as const

/** How the window looks; what is chosen holds at once, in every window and at the next start. */
export function SettingsDialog(): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const { data, error } = useSettings()
  const change = useChangeSettings()
  const failure = change.error ?? error
  return (
    <Modal title="Settings" closeLabel="Close" onClose={closeDialog}>
      {data !== undefined && (
        <>
          <Choice
            label="Theme"
            options={themes}
            value={data.settings.theme}
            onChange={(theme) => change.mutate({ theme })}
          />
          <Choice
            label="Contrast"
            options={contrasts}
            value={data.settings.contrast}
            onChange={(contrast) => change.mutate({ contrast })}
          />
          <Choice
            label="Density"
            options={densities}
            value={data.settings.density}
            onChange={(density) => change.mutate({ density })}
          />
          {data.problem !== null && (
            <Notice title="Settings of before could not be read">
              <p>{data.problem}</p>
            </Notice>
          )}
        </>
      )}
      {failure !== null && <FailureNotice error={failure} />}
    </Modal>
  )
}
