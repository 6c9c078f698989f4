/** Class of the document while it is copied: formulas stand there as they were written. */
const copying = 'copies-sources'

/**
 * Loads what drawn formulas look like, and from then on has the source of each copied in its place. Rejects where the style
 * sheet cannot be loaded.
 */
export async function loadFormulaStyles(): Promise<void> {
  await import('katex/dist/katex.min.css')
  document.addEventListener('copy', () => {
    const { classList } = document.documentElement
    classList.add(copying)
    // The browser takes the text after the event; the next frame is drawn later.
    setTimeout(() => classList.remove(copying))
  })
}
