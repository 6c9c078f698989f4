import { createHash } from 'node:crypto'
import { escapeHtml } from './html-text'

/**
 * Returns the beginning of a page that needs nothing else, up to its `<main>`. A policy forbids scripts and loading, and
 * every style but this one; images are in the page.
 *
 * @param title as text, in one line
 */
export function htmlPageHead(title: string, style: string): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
`
}
