import type { Stores } from '../../state/context'

/** Returns true while a dialog is open: no view or other dialog opens over it. */
export function hasDialog({
  branching,
  exporting,
  labels,
  contexts,
  titles,
  tags,
  sent,
  background,
  upkeep,
  landmarks,
  palette,
  prompts,
  mentions,
}: Stores): boolean {
  return (
    branching.getState().question !== undefined ||
    labels.getState().question !== undefined ||
    exporting.getState().key !== undefined ||
    contexts.getState().question !== undefined ||
    titles.getState().question !== undefined ||
    tags.getState().key !== undefined ||
    sent.getState().answer !== undefined ||
    background.getState().isOpen ||
    upkeep.getState().page !== undefined ||
    landmarks.getState().isOpen ||
    palette.getState().isOpen ||
    prompts.getState().question !== undefined ||
    mentions.getState().question !== undefined ||
    // One that a view keeps to itself, such as the choice of a model.
    document.querySelector('.dialog') !== null
  )
}

/** Resolves when no dialog is open: for what comes from outside of the window. Until then it looks again whenever the page changes. */
export function whenNoDialog(stores: Stores): Promise<void> {
  return new Promise((resolve) => {
    if (!hasDialog(stores)) return resolve()
    const observer = new MutationObserver(() => {
      if (hasDialog(stores)) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
}
