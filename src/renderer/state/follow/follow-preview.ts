import type { PreviewStore } from '../search/preview'
import type { SearchStore } from '../search/search'

/** Shows the selected hit in the preview while both are open. Returns a function that stops it. */
export function followPreview(stores: {
  readonly search: SearchStore
  readonly preview: PreviewStore
}): () => void {
  const { search, preview } = stores
  function follow(): void {
    const { isOpen, selected, shown } = search.getState()
    if (!isOpen || !preview.getState().isOpen) return
    preview.getState().show(shown.hits.find(({ id }) => id === selected))
  }
  const ends = [
    search.subscribe((now, before) => {
      const isSame =
        now.selected === before.selected &&
        now.shown === before.shown &&
        now.isOpen === before.isOpen
      if (!isSame) follow()
    }),
    preview.subscribe((now, before) => {
      if (now.isOpen && !before.isOpen) follow()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
