import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'

/** Icon of the set; read aloud only with a label. */
export function Icon(props: {
  readonly of: LucideIcon
  readonly size?: 12 | 16
  readonly label?: string
  readonly className?: string
}) {
  const { of: Drawn, size = 16, label, className } = props
  return (
    <Drawn
      size={size === 16 ? '1rem' : '0.75rem'}
      strokeWidth={size === 16 ? 1.875 : 2.4}
      className={`icon ${className ?? ''}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    />
  )
}

/** Logo of Skein: two strands. */
export function Logo() {
  return (
    <svg className="icon logo" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 4.5c3.5 0 3.5 7 6 7s2.5-7 6-7" />
      <path d="M2 11.5c3.5 0 3.5-7 6-7s2.5 7 6 7" />
    </svg>
  )
}

interface Mark {
  readonly label: string
  readonly colour: string
  readonly shape: ReactElement
}

/** Signs of sources: they differ by shape, and by colour too. */
const sources: Readonly<Record<string, Mark>> = {
  chibi: { label: 'chibi', colour: 'var(--src-1)', shape: <circle cx="6" cy="6" r="4.5" /> },
  cycod: {
    label: 'cycod',
    colour: 'var(--src-2)',
    shape: <path d="M6 1.2a4.8 4.8 0 1 0 4.8 4.8H8.3A2.3 2.3 0 1 1 6 3.7z" />,
  },
  fluux: {
    label: 'fluux-agent',
    colour: 'var(--src-3)',
    shape: <path d="M6 .8 11.2 6 6 11.2.8 6z" />,
  },
  voicemode: {
    label: 'voicemode',
    colour: 'var(--src-4)',
    shape: (
      <>
        <rect x=".8" y="4" width="2" height="4" rx="1" />
        <rect x="3.6" y="1.5" width="2" height="9" rx="1" />
        <rect x="6.4" y="3" width="2" height="6" rx="1" />
        <rect x="9.2" y="4.5" width="2" height="3" rx="1" />
      </>
    ),
  },
}

/** Returns the name of a source for people; its id where it is unknown. */
export function sourceLabel(source: string): string {
  return sources[source]?.label ?? source
}

/** Sign of a source; a grey square for an unknown one. */
export function SourceMark(props: { readonly source: string }) {
  const { label, colour, shape } = sources[props.source] ?? {
    label: props.source,
    colour: 'var(--text-3)',
    shape: <rect x="1.5" y="1.5" width="9" height="9" rx="1.5" />,
  }
  return (
    <svg
      className="source-mark"
      viewBox="0 0 12 12"
      fill="currentColor"
      style={{ color: colour }}
      role="img"
      aria-label={label}
    >
      {shape}
    </svg>
  )
}
