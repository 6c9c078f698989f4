import { type DragEvent, useState } from 'react'
import { isFileDrag, transferredFiles } from './image-files'

/** Lets files be dropped on an element; text that is dragged goes where it goes. */
export function useDrop(isOpen: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const take = (event: DragEvent) => {
    if (!isFileDrag(event.dataTransfer)) return false
    // Else the page would be left for the file.
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
