import { RotateCcw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../controls/Button'
import { Note } from './Note'

interface Props {
  /** Name of the part, as a subject: "This entry", "The library". */
  readonly what: string
  /** Identity of the content: after a change it is drawn again. */
  readonly of?: unknown
  /** Class of the element in its place. */
  readonly className?: string
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
  readonly failedOf: unknown
}

/**
 * Boundary that replaces a part of the window that throws by a message; the other parts go on. A class, because
 * React needs one.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, failedOf: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('no details') }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.of === state.failedOf ? null : { error: undefined, failedOf: props.of }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className={`failed-part ${this.props.className ?? ''}`}>
        <Note
          tone="error"
          title={`${this.props.what} could not be shown.`}
          detail={error instanceof Error ? (error.stack ?? error.message) : String(error)}
          actions={
            <Button isSmall icon={RotateCcw} onClick={() => this.setState({ error: undefined })}>
              Show again
            </Button>
          }
        >
          This is a bug in Skein. Nothing on disk has changed, and the rest of the window works.
        </Note>
      </div>
    )
  }
}
