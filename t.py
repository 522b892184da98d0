import torch
print(torch.get_num_threads(), torch.backends.cpu.get_cpu_capability())
def tg(ids,up,R):
    l=torch.nn.Embedding(R,64); l(ids).backward(up); return l.weight.grad
for th in (1,2,4):
  torch.set_num_threads(th)
  for P,R in ((64,50),(500,50),(4096,50),(40960,50),(400000,50),(4096,1000)):
    res=[]
    for seed in range(4):
      torch.manual_seed(seed)
      ids,fr=torch.randint(R,(P,)),torch.randn(P,64)
      a,r=tg(ids,fr,R),tg(ids.flip(0),fr.flip(0),R)
      m=torch.nn.functional.one_hot(ids,num_classes=R).float().T@fr
      res.append([(torch.equal(a,g),torch.allclose(a,g),torch.allclose(a,g,atol=1e-4)) for g in (r,m)])
    print(th,P,R,res)
def com(N,mk):
  torch.backends.mkldnn.flags
  with torch.backends.mkldnn.flags(enabled=mk):
    c=torch.full((N,),2); hot=torch.nn.functional.one_hot(c,num_classes=4)
    out=[]
    for dt,cast in [(torch.bfloat16,False),(torch.float16,False),(torch.float32,False),(torch.float32,True)]:
      e=torch.nn.Embedding(4,5,dtype=dt);l=torch.nn.Linear(4,5,bias=False,dtype=dt)
      with torch.autocast('cpu',torch.bfloat16,enabled=cast):
        s=e(c).sum()+l(hot.to(dt)).sum()
      s.backward(); out.append((e.weight.grad[2,0].item(),l.weight.grad[0,2].item()))
  print(N,mk,out)
for th in (1,2,4):
  torch.set_num_threads(th)
  for mk in (True,False):
    for N in (100,257,1001,1003,3000,100001): com(N,mk)
# remedy w/ N
for N in (1001,5000):
  c=torch.full((N,),2)
  t=torch.nn.Embedding(4,5,dtype=torch.bfloat16).weight
  torch.nn.functional.embedding(c,t.float()).sum().backward(); print(t.grad[2,0])
