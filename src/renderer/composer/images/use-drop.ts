import { type DragEvent, useState } from 'react'
import { isFileDrag, transferredFiles } from './image-files'

/** Accepts files that are dropped on an element; dragged text is left to the browser. */
export function useDrop(isOpen: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const take = (event: DragEvent) => {
    if (!isFileDrag(event.dataTransfer)) return false
    // Else the browser would open the file in place of the page.
    event.preventDefault()
    return true
  }
  return {
    isOver: isOver && isOpen,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!take(event)) return
        event.dataTransfer.dropEffect = isOpen ? 'copy' : 'none'
        setOver(true)
      },
      onDragLeave(event: DragEvent) {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false)
      },
      onDrop(event: DragEvent) {
        setOver(false)
        if (take(event) && isOpen) onFiles(transferredFiles(event.dataTransfer))
      },
    },
  }
}
