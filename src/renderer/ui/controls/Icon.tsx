import type { LucideIcon } from 'lucide-react'

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
