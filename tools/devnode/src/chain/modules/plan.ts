import { Plan } from '@hubwatch/types/gen/forms/hub/plan/v3/plan';
import { queryPlan, queryPlans, queryPlansForProvider } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { providerPrefix, readAddress } from '../address.js';
import { idKey, paginate, paginateDefective } from '../paging.js';
import { notFound } from '../query-error.js';
import { on, type QueryContext, type QueryHandler } from '../query-handler.js';
import { byStatus, statusHit, withStatusKey } from './status-filter.js';

const keyOf = ({ id }: Plan): Buffer => idKey(id);

function plansOf({ state, forms }: QueryContext): Plan[] {
  return state.plans.map((record) => forms.of(Plan, record));
}

export const planHandlers: readonly QueryHandler[] = [
  on(queryPlans, (request, context) => {
    const { items, pagination } = paginate(byStatus(plansOf(context), request.status, keyOf), request.pagination);
    return { plans: items, pagination };
  }),
  on(queryPlansForProvider, (request, context) => {
    const { text } = readAddress(request.address, providerPrefix);
    const own = plansOf(context).filter(({ provAddress }) => provAddress === text);
    const entries = withStatusKey(own, keyOf, false);
    const { items, pagination } = paginateDefective(entries, request.pagination, statusHit(request.status));
    return { plans: items, pagination };
  }),
  on(queryPlan, (request, context) => {
    const plan = plansOf(context).find(({ id }) => id === request.id);
    if (plan === undefined) throw notFound(`plan does not exist for id ${request.id}`);
    return { plan };
  }),
];
