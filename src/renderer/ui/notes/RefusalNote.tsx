import type { ReactNode } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Button } from '../controls/Button'
import { Note } from './Note'

/** The reason, as any error report has it. */
interface Refusal {
  readonly code?: string
  readonly message: string
  readonly detail?: string | undefined
}

/**
 * Note that an action was refused or something could not be read, with the reason; nothing where there is no refusal.
 * Where a model or its key is missing, with a way to Settings.
 */
export function RefusalNote(props: {
  readonly title: string
  readonly refusal: Refusal | undefined
  /** A written text is still there. */
  readonly isTextKept?: boolean
  /** Lies across a pane: no rounded corners. */
  readonly isBar?: boolean
  /** Further sentences behind the message. */
  readonly more?: string
  readonly actions?: ReactNode
  readonly onSettings?: () => void
  readonly onDismiss?: () => void
}) {
  const { title, refusal, isTextKept = false, isBar = false, more, onSettings } = props
  if (refusal === undefined) return null
  const isOfModel = refusal.code === 'no-key' || refusal.code === 'no-model'
  const settings = isOfModel && onSettings !== undefined && (
    <Button isSmall onClick={onSettings}>
      Settings
    </Button>
  )
  const dismiss = props.onDismiss !== undefined && (
    <Button isSmall kind="ghost" onClick={props.onDismiss}>
      Dismiss
    </Button>
  )
  const hasActions = props.actions !== undefined || settings !== false || dismiss !== false
  const actions = (
    <>
      {props.actions}
      {settings}
      {dismiss}
    </>
  )
  const words = [
    visibleText(refusal.message),
    ...(isTextKept ? ['Your text is kept here.'] : []),
    ...(more === undefined ? [] : [more]),
  ]
  return (
    <Note
      tone="error"
      title={title}
      isBar={isBar}
      detail={refusal.detail}
      {...(hasActions ? { actions } : {})}
    >
      {words.join(' ')}
    </Note>
  )
}
