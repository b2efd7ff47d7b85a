import { contextBridge, ipcRenderer, webUtils } from 'electron'

// A sandboxed preload can load nothing but electron, so the names stand here and in shell-electron/ipc-names.ts; a test compares them.
contextBridge.exposeInMainWorld('bridge', {
  post: (message: unknown) => ipcRenderer.send('treeline:message', message),
  onMessage: (listener: (message: unknown) => void) => {
    ipcRenderer.on('treeline:message', (_event, message: unknown) => listener(message))
  }
})

// A dropped folder is named by the preload, never by the page: only files that the system dragged here have a path.
window.addEventListener('dragover', (event) => event.preventDefault())
window.addEventListener('drop', (event) => {
  event.preventDefault()
  if (!event.isTrusted) return
  const paths = Array.from(event.dataTransfer?.files ?? [], (file) => webUtils.getPathForFile(file))
  ipcRenderer.send('treeline:drop', paths.filter(Boolean))
})
