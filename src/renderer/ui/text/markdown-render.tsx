import type { Token } from 'markdown-it'
import { Fragment, type ReactNode } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { CodeBlock } from './CodeBlock'
import { Formula } from './Formula'
import { ImageLink, Link } from './Link'

/** An element that is open while its children are collected. */
interface Frame {
  readonly token: Token | undefined
  readonly children: ReactNode[]
  /** Where its first letter is read from: lists, quotes and tables lie that way as a whole. */
  direction?: 'ltr' | 'rtl'
  /** Characters of its text. */
  length: number
}

/** Renders the tokens of one block. Only elements made here exist: nothing in a text becomes markup. */
export function renderTokens(tokens: readonly Token[]): ReactNode {
  const stack: Frame[] = [{ token: undefined, children: [], length: 0 }]
  for (const token of tokens) {
    const top = stack.at(-1)
    if (top === undefined) break
    if (token.nesting === 1) {
      stack.push({ token, children: [], length: 0 })
    } else if (token.nesting === -1) {
      const done = stack.pop()
      const parent = stack.at(-1)
      if (done?.token === undefined || parent === undefined) break
      parent.children.push(element(done.token, done, parent.children.length))
    } else {
      if (token.type === 'inline') noteText(stack, token.content)
      top.children.push(leaf(token, stack, top.children.length))
    }
  }
  return stack[0]?.children
}

function leaf(token: Token, stack: readonly Frame[], key: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return (
        <Fragment key={key}>
          {isFirstOfListItem(stack) ? taskOf(token) : renderTokens(token.children ?? [])}
        </Fragment>
      )
    case 'text':
    case 'text_special':
      return visibleText(token.content)
    case 'formula':
    case 'formula_block':
      return <Formula key={key} source={token.content} isBlock={token.type === 'formula_block'} />
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br key={key} />
    case 'hr':
      return <hr key={key} />
    case 'code_inline':
      return (
        <code key={key} dir="auto">
          {visibleText(token.content)}
        </code>
      )
    case 'fence':
    case 'code_block':
      return (
        <CodeBlock
          key={key}
          code={token.content}
          language={token.info.trim().split(/\s/)[0] ?? ''}
        />
      )
    case 'image':
      return <ImageLink key={key} url={attribute(token, 'src')} alt={token.content} />
    default:
      // A token of another kind is shown as its text.
      return visibleText(token.content)
  }
}

/** A letter, and letters that are read from the right: Hebrew, Arabic and their relatives. */
const letter = /\p{L}/u
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Gives what is open the length of a text in it, and the direction of its first letter, unless it has one. */
function noteText(stack: readonly Frame[], text: string): void {
  for (const frame of stack) frame.length += text.length
  const first = letter.exec(text)?.[0]
  if (first === undefined) return
  for (const frame of stack) frame.direction ??= rightToLeft.test(first) ? 'rtl' : 'ltr'
}

function element(token: Token, frame: Frame, key: number): ReactNode {
  const { children, direction } = frame
  // Left to right is what surrounds it.
  const dir = direction === 'rtl' ? 'rtl' : undefined
  switch (token.type) {
    case 'paragraph_open':
      return token.hidden ? (
        <Fragment key={key}>{children}</Fragment>
      ) : (
        <p key={key} dir="auto">
          {children}
        </p>
      )
    case 'heading_open':
      return (
        <Heading key={key} level={Number(token.tag.slice(1))}>
          {children}
        </Heading>
      )
    case 'bullet_list_open':
      return (
        <ul key={key} dir={dir}>
          {children}
        </ul>
      )
    case 'ordered_list_open':
      return (
        <ol key={key} dir={dir} start={Number(attribute(token, 'start') || 1)}>
          {children}
        </ol>
      )
    case 'list_item_open':
      return <li key={key}>{children}</li>
    case 'blockquote_open':
      return (
        <blockquote key={key} dir={dir}>
          {children}
        </blockquote>
      )
    case 'table_open':
      return (
        // biome-ignore lint/a11y/useSemanticElements: a table that scrolls needs a box that can be focused
        <div
          key={key}
          className="table-scroll"
          role="group"
          aria-label="Table"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <table dir={dir}>{children}</table>
        </div>
      )
    case 'thead_open':
      return <thead key={key}>{children}</thead>
    case 'tbody_open':
      return <tbody key={key}>{children}</tbody>
    case 'tr_open':
      return <tr key={key}>{children}</tr>
    case 'th_open':
      return (
        <th key={key} className={cellClass(token, frame.length)}>
          {children}
        </th>
      )
    case 'td_open':
      return (
        <td key={key} className={cellClass(token, frame.length)}>
          {children}
        </td>
      )
    case 'strong_open':
      return <strong key={key}>{children}</strong>
    case 'em_open':
      return <em key={key}>{children}</em>
    case 's_open':
      return <s key={key}>{children}</s>
    case 'link_open':
      return (
        <Link key={key} url={attribute(token, 'href')}>
          {children}
        </Link>
      )
    default:
      return <Fragment key={key}>{children}</Fragment>
  }
}

/** A heading two levels further down, since the transcript has headings above it. */
function Heading(props: { readonly level: number; readonly children: ReactNode }) {
  const Tag = `h${Math.min(props.level + 2, 6)}` as 'h3' | 'h4' | 'h5' | 'h6'
  return (
    <Tag className={`heading-${props.level}`} dir="auto">
      {props.children}
    </Tag>
  )
}

const taskMark = /^\[([ xX])\] /

/** Renders the text of a list item; "[x] " at its start becomes a mark, which is no control. */
function taskOf(inline: Token): ReactNode {
  const [first, ...rest] = inline.children ?? []
  const mark = first?.type === 'text' ? taskMark.exec(first.content) : null
  if (first === undefined || mark === null) return renderTokens(inline.children ?? [])
  const isDone = mark[1] !== ' '
  return (
    <>
      <span
        className={`task ${isDone ? 'on' : ''}`}
        role="img"
        aria-label={isDone ? 'Done' : 'To do'}
      />
      {visibleText(first.content.slice(mark[0].length))}
      {renderTokens(rest)}
    </>
  )
}

function isFirstOfListItem(stack: readonly Frame[]): boolean {
  const [item, paragraph] = [stack.at(-2), stack.at(-1)]
  return (
    item?.token?.type === 'list_item_open' &&
    item.children.length === 0 &&
    paragraph?.token?.type === 'paragraph_open'
  )
}

/** Longest text of a cell that stays on one line, in characters: a column of numbers or names is as wide as they are. */
const oneLine = 24

function cellClass(token: Token, length: number): string | undefined {
  const align = /text-align:(left|right|center)/.exec(attribute(token, 'style'))
  const classes = [
    ...(align === null ? [] : [`align-${align[1]}`]),
    ...(length <= oneLine ? ['one-line'] : []),
  ]
  return classes.length === 0 ? undefined : classes.join(' ')
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}
