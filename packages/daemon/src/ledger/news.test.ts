import { expect, test } from 'vitest';
import { addNews, addSubjects, type News } from './news.js';

const entry = (kind: Parameters<typeof addNews>[1]['kind'], node: string, provider: string) => ({
  kind,
  node,
  provider,
  account: '',
});

test('news: an event invalidates the readings of the subjects that it names, and no others', () => {
  const news: News = new Map();
  addNews(news, entry('lease_created', 'n1', 'p1'));
  addNews(news, entry('lease_renewed', 'n2', 'p1'));
  addNews(news, entry('lease_paid', 'n3', 'p2'));
  addNews(news, entry('lease_updated', 'n4', 'p2'));
  expect([...(news.get('leases') ?? [])].filter(Boolean).toSorted()).toEqual(['n1', 'n2', 'n4', 'p1', 'p2']);
  expect([...(news.get('providers') ?? [])].filter(Boolean).toSorted()).toEqual(['n1', 'p1']);
  expect(news.has('nodes')).toBe(false);
});

test('news: a change of a provider invalidates the leases of every node, regardless of other events', () => {
  const news: News = new Map();
  addNews(news, entry('lease_ended', 'n1', 'p1'));
  addNews(news, entry('provider_inactive', '', 'p1'));
  addNews(news, entry('lease_ended', 'n2', 'p1'));
  expect(news.has('leases')).toBe(true);
  expect(news.get('leases')).toBeUndefined();
  addSubjects(news, 'nodes', ['n1']);
  expect(news.get('nodes')).toEqual(new Set(['n1']));
});
