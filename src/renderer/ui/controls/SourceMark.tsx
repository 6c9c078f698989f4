import type { ReactElement } from 'react'
import { SourceId, sourceLabel } from '../../../shared/model/conversation/sources'

interface Sign {
  /** The number of one of the six colours of tokens.css; the others are grey. */
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6 | 'x'
  /** In a box of 12 by 12. */
  readonly shape: ReactElement
}

/** Signs of sources: the shape tells them apart, and the colour helps. */
const signs: Readonly<Record<SourceId, Sign>> = {
  chibi: { colour: 1, shape: <circle cx="6" cy="6" r="4.5" /> },
  'claude-code': {
    colour: 5,
    shape: <path d="M6 .5 7.3 4.7 11.5 6 7.3 7.3 6 11.5 4.7 7.3 .5 6 4.7 4.7z" />,
  },
  cycod: { colour: 2, shape: <path d="M6 1.2a4.8 4.8 0 1 0 4.8 4.8H8.3A2.3 2.3 0 1 1 6 3.7z" /> },
  'open-webui': {
    colour: 'x',
    shape: (
      <path
        d="M4.6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9.6 2h1.8v8H9.6z"
        fillRule="evenodd"
      />
    ),
  },
  deepseek: {
    colour: 'x',
    shape: <path d="M1 4.5c2.6 0 3 2.2 5 2.2s3-2.6 5-4.2c.4 4.6-1.6 8-5 8s-5-2.6-5-6z" />,
  },
  grok: {
    colour: 'x',
    shape: (
      <path
        d="M9.7 1.2 1.2 10.8M6 2.2a3.8 3.8 0 1 0 3.8 3.8"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
      />
    ),
  },
  llm: {
    colour: 'x',
    shape: <path d="M1 1.5h2.2v9H1zM4.9 1.5h2.2v9H4.9zM8.8 5.2H11v5.3H8.8zM8.8 1.5H11v2.2H8.8z" />,
  },
  fluux: { colour: 3, shape: <path d="M6 .8 11.2 6 6 11.2.8 6z" /> },
  voicemode: {
    colour: 4,
    shape: (
      <>
        <rect x=".8" y="4" width="2" height="4" rx="1" />
        <rect x="3.6" y="1.5" width="2" height="9" rx="1" />
        <rect x="6.4" y="3" width="2" height="6" rx="1" />
        <rect x="9.2" y="4.5" width="2" height="3" rx="1" />
      </>
    ),
  },
  pi: { colour: 'x', shape: <path d="M1 2h10v2H9v6.5H7V4H5v6.5H3V4H1z" /> },
  openclaw: {
    colour: 'x',
    shape: (
      <path d="M6 11.4C3 11.4 1 9 1.4 6.2 1.8 3.6 3.4 1.4 6.2.8 4.8 2 4.4 3.2 4.7 4.4 5.6 3.6 7 3.4 8 4.2 6.8 4.4 6.2 5 6.2 6 7.2 5 8.8 5 10.6 6.2 10.4 9.4 8.6 11.4 6 11.4z" />
    ),
  },
  gemini: {
    colour: 'x',
    shape: (
      <path d="M6 .6C6.3 3.9 8.1 5.7 11.4 6 8.1 6.3 6.3 8.1 6 11.4 5.7 8.1 3.9 6.3.6 6 3.9 5.7 5.7 3.9 6 .6z" />
    ),
  },
  'gemini-apps': {
    colour: 'x',
    shape: (
      <path
        d="M6 .6C6.3 3.9 8.1 5.7 11.4 6 8.1 6.3 6.3 8.1 6 11.4 5.7 8.1 3.9 6.3.6 6 3.9 5.7 5.7 3.9 6 .6z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
      />
    ),
  },
  'ai-studio': {
    colour: 'x',
    shape: (
      <path d="M1.2 2.4h5v1.8H3v5h5V6.4h1.8v4.6H1.2zM9 .4C9.2 2 10 2.8 11.6 3 10 3.2 9.2 4 9 5.6 8.8 4 8 3.2 6.4 3 8 2.8 8.8 2 9 .4z" />
    ),
  },
  librechat: {
    colour: 'x',
    shape: <path d="M1.5 1h2.2v7.8h6.8V11h-9zM5.6 1h4.9v5.4H8.6L6.8 8V6.4H5.6z" />,
  },
  antigravity: {
    colour: 'x',
    shape: (
      <path d="M6 1c2 0 3 2.6 4.9 9.9H9.3C8.4 8.6 7.4 7.4 6 7.4S3.6 8.6 2.7 10.9H1.1C3 3.6 4 1 6 1z" />
    ),
  },
  'grok-build': {
    colour: 'x',
    shape: (
      <path
        d="M1 1.4h10v9.2H1zM8.6 3 3.2 9M6 3.7a2.3 2.3 0 1 0 2.3 2.3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
      />
    ),
  },
  kimi: {
    colour: 'x',
    shape: <path d="M1.4 1h2.3v4.2L7.4 1h2.9L6.2 5.5l4.4 5.5H7.7L4.6 7l-.9 1v3H1.4z" />,
  },
  droid: {
    colour: 'x',
    shape: <path d="M5 .8h2v2.1h3v7.3H2V2.9h3zM3.9 5v1.8h1.4V5zm2.8 0v1.8h1.4V5zM4 8v1h4V8z" />,
  },
  qwen: {
    colour: 'x',
    shape: (
      <path d="M6 1a5 5 0 0 1 3.9 8.1l1.3 1.4-1.2 1.1-1.4-1.5A5 5 0 1 1 6 1zm0 1.9a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2z" />
    ),
  },
  copilot: {
    colour: 'x',
    shape: (
      <path d="M3.4 1.6a2.6 2.6 0 0 1 2.6 2 2.6 2.6 0 1 1 2.6 3.2c-1.2 0-2.2-.8-2.6-1.9-.4 1.1-1.4 1.9-2.6 1.9a2.6 2.6 0 0 1 0-5.2zM2 8h8v.6a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3z" />
    ),
  },
  cline: {
    colour: 'x',
    shape: (
      <path d="M5.2 2.6V1h1.6v1.6H8A2.5 2.5 0 0 1 10.5 5v.7l.9 1.3-.9 1.3A2.7 2.7 0 0 1 8 11H4a2.7 2.7 0 0 1-2.5-2.7L.6 7l.9-1.3V5A2.5 2.5 0 0 1 4 2.6zM3.6 5.4v2.8h1.3V5.4zm3.5 0v2.8h1.3V5.4z" />
    ),
  },
  aider: {
    colour: 'x',
    shape: <path d="M1 1.5h10v9H1zM2.6 3.9 4.7 6 2.6 8.1l1 1L6.7 6 3.6 2.9zM6.5 7.9v1.3h3V7.9z" />,
  },
  'lm-studio': {
    colour: 'x',
    shape: <path d="M1 1.6h7v1.8H1zm3 3.5h7v1.8H4zM1 8.6h9v1.8H1z" />,
  },
  codex: { colour: 6, shape: <path d="M6 .7 10.6 3.35v5.3L6 11.3 1.4 8.65v-5.3z" /> },
  chatgpt: { colour: 'x', shape: <path d="M1 1.5h10v7H6.6L3.6 11V8.5H1z" /> },
  'claude-ai': {
    colour: 'x',
    shape: (
      <path
        d="M6 1v10M1.7 3.5l8.6 5M10.3 3.5l-8.6 5"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    ),
  },
  cursor: {
    colour: 'x',
    shape: <path d="M2.2 1 10.4 6.6 6.7 7.2 9 11 7.3 11.8 5.1 8 2.2 10.4z" />,
  },
  crush: {
    colour: 'x',
    shape: <path d="M1 1.4 6 4l5-2.6v3L8.6 6 11 7.6v3L6 8l-5 2.6v-3L3.4 6 1 4.4z" />,
  },
  zed: {
    colour: 'x',
    shape: <path d="M1.2 1.2h9.6v2L4.6 8.6h6.2v2.2H1.2v-2L7.4 3.4H1.2z" />,
  },
  jan: {
    colour: 'x',
    shape: <path d="M6.2 1h2.6v6.4a3.4 3.4 0 0 1-6.8 0h2.4a1 1 0 0 0 1.8 0z" />,
  },
  goose: {
    colour: 'x',
    shape: (
      <path d="M5.2 5.6V3.4A2.4 2.4 0 0 1 9.6 2l1.8 1-1.8.8v2.1c.9.5 1.4 1.3 1.4 2.2 0 1.9-2 3-4.6 3C3.2 11.1 1.2 9.4.6 6.6c1.3.9 2.6 1 4.6-1z" />
    ),
  },
  skein: {
    colour: 1,
    shape: (
      <path
        d="M6 1.2v6.4M3.2 5 6 7.8 8.8 5M1.6 8.2v2.4h8.8V8.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      />
    ),
  },
  opencode: {
    colour: 'x',
    shape: <path d="M2 1h8v10H2zM4.6 3.4v5.2h2.8V3.4z" fillRule="evenodd" />,
  },
}

/** Of something that is no source. */
const unknownSign: Sign = {
  colour: 'x',
  shape: <path d="M6 1.6v8.8M1.6 6h8.8" stroke="currentColor" strokeWidth="1.7" />,
}

/** Sign of a source, with its name for screen readers. */
export function SourceMark(props: { readonly source: string }) {
  const known = SourceId.safeParse(props.source)
  const { colour, shape } = known.success ? signs[known.data] : unknownSign
  return (
    <svg
      className="source-mark"
      viewBox="0 0 12 12"
      fill="currentColor"
      style={{ color: `var(--src-${colour})` }}
      role="img"
      aria-label={sourceLabel(props.source)}
    >
      {shape}
    </svg>
  )
}
