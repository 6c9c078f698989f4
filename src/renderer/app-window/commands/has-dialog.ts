import type { Stores } from '../../state/context'

/** Returns true while a dialog is open: no view or other dialog opens over it. */
export function hasDialog({
  branching,
  exporting,
  labels,
  contexts,
  titles,
  sent,
  background,
  upkeep,
  landmarks,
  palette,
}: Stores): boolean {
  return (
    branching.getState().question !== undefined ||
    labels.getState().question !== undefined ||
    exporting.getState().key !== undefined ||
    contexts.getState().question !== undefined ||
    titles.getState().question !== undefined ||
    sent.getState().answer !== undefined ||
    background.getState().isOpen ||
    upkeep.getState().page !== undefined ||
    landmarks.getState().isOpen ||
    palette.getState().isOpen
  )
}
