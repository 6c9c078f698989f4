import electron, { contextBridge, ipcRenderer } from 'electron'
import { channels } from '../shared/ipc/channels'
import type { Envelope, Transport } from '../shared/ipc/contract'

// The renderer is not trusted: only the contract's own channels pass, whatever the page asks for.
const calls = new Set(channels('call'))
const events = new Set(channels('event'))

const transport: Transport = {
  invoke(channel, args) {
    if (!calls.has(channel)) return Promise.reject(new Error(`no such call: ${channel}`))
    return ipcRenderer.invoke(channel, args) as Promise<Envelope>
  },
  on(channel, listener) {
    if (!events.has(channel)) throw new Error(`no such event: ${channel}`)
    const relay = (_event: unknown, payload: unknown) => listener(payload)
    ipcRenderer.on(channel, relay)
    return () => {
      ipcRenderer.off(channel, relay)
    }
  },
  pathOf: pathOfFile,
}

/** Electron knows it; older versions put it on the file. */
function pathOfFile(file: unknown): string {
  const { webUtils } = electron as {
    readonly webUtils?: { getPathForFile(file: unknown): string }
  }
  if (webUtils !== undefined) return webUtils.getPathForFile(file)
  const { path } = file as { readonly path?: unknown }
  return typeof path === 'string' ? path : ''
}

contextBridge.exposeInMainWorld('api', transport)
