import { FileInput } from 'lucide-react'
import { useDropImport } from './use-drop-import'

/** Overlay while files are dragged over the window: dropped there, they are imported. */
export function DropImport() {
  const isOver = useDropImport()
  if (!isOver) return null
  return (
    <div className="drop-import" aria-hidden="true">
      <div className="drop-import-card">
        <FileInput size={20} />
        <span>Drop an export of ChatGPT, Claude.ai or Skein to import it</span>
      </div>
    </div>
  )
}
