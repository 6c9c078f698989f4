import { useEffect, useState } from 'react'
import { useStores } from '../state/context'
import { hasDialog } from './commands/has-dialog'

/**
 * Imports files that are dropped anywhere on the window where nothing else takes them, and shows Settings, Sources meanwhile.
 * Returns whether files are dragged over such a place.
 */
export function useDropImport(): boolean {
  const stores = useStores()
  const { app, sources } = stores
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // The composer takes images: its handlers come before those of the window.
    const isOurs = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true && !event.defaultPrevented
    const isOpen = () => {
      const phase = app.getState().status?.phase
      return (phase === 'ready' || phase === 'first-run') && !hasDialog(stores)
    }
    const onDragOver = (event: DragEvent) => {
      const isTaken = isOurs(event) && isOpen()
      setOver(isTaken)
      if (!isOurs(event)) return
      // Else the browser would open the file in place of the page.
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
    }
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      setOver(false)
      if (!isOurs(event)) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0 || !isOpen()) return
      app.getState().openSettings('sources')
      void sources.getState().importDropped(files)
    }
    window.addEventListener('dragover', onDragOver)
    window.addEventListener('dragleave', onDragLeave)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onDragOver)
      window.removeEventListener('dragleave', onDragLeave)
      window.removeEventListener('drop', onDrop)
    }
  }, [stores, app, sources])
  return isOver
}
